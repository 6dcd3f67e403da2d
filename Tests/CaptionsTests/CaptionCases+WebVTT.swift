/// WebVTT: every block of its specification, and what programs write instead.
extension CaptionFormatTableTests {
  static let webVTT: [Case] = [
    Case(
      name: "plain.vtt",
      text: """
        WEBVTT

        00:01.000 --> 00:02.000
        first

        00:00:02.500 --> 00:00:03.500
        second

        """, cues: two),
    Case(
      name: "style.vtt",
      text: """
        WEBVTT - with a title

        STYLE
        ::cue { color: lime; }
        ::cue(b) { background: url("x-->y"); }

        NOTE a comment
        in two lines

        REGION
        id:r1
        width:40%
        lines:3
        regionanchor:0%,100%
        viewportanchor:10%,90%
        scroll:up

        STYLE

        ::cue(#one) { font-size: 2em }

        one
        00:00:01.000 --> 00:00:02.000 region:r1 align:left
        first

        NOTE

        00:00:02.500 --> 00:00:03.500 line:0 position:20%,line-left size:60% vertical:lr
        second

        """, cues: two, ffmpegAgrees: false),
    Case(
      name: "header.vtt",
      text: """
        WEBVTT
        X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000
        Kind: captions

        00:01.000 --> 00:02.000
        first

        00:02.500 --> 00:03.500
        second
        """, cues: two),
    Case(
      name: "no-blank.vtt",
      text: """
        WEBVTT
        00:01.000 --> 00:02.000
        first

        00:02.500 --> 00:03.500
        second

        """, cues: two, ffmpegAgrees: false),
    Case(
      name: "title-no-blank.vtt",
      text: """
        WEBVTT A file
        00:01.000 --> 00:02.000
        first

        00:02.500 --> 00:03.500
        second

        """, cues: two, ffmpegAgrees: false),
    Case(
      name: "crlf.vtt",
      text: """
        \u{feff}WEBVTT\r
        \r
        1\r
        00:01.000 --> 00:02.000\r
        first\r
        \r
        2\r
        00:02.500 --> 00:03.500\r
        second\r

        """, cues: two),
    Case(
      name: "cr.vtt",
      text: """
        WEBVTT\r\r00:01.000 --> 00:02.000\rfirst\r\r00:02.500 --> 00:03.500\rsecond\r
        """, cues: two, ffmpegAgrees: false),
    Case(
      name: "tabs.vtt",
      text: """
        WEBVTT\tnotes

        00:01.000\t-->\t00:02.000\talign:start
        first

        00:02.500-->00:03.500
        second

        """, cues: two, ffmpegAgrees: false),
    Case(
      name: "run-together.vtt",
      text: """
        WEBVTT

        00:01.000 --> 00:02.000
        first
        00:02.500 --> 00:03.500
        second

        """, cues: two, ffmpegAgrees: false),
    Case(
      name: "blank-lines.vtt",
      text: """
        WEBVTT



        00:01.000 --> 00:02.000
        first



        00:02.500 --> 00:03.500
        second



        """, cues: two),
    Case(
      name: "tags.vtt",
      text: """
        WEBVTT

        00:01.000 --> 00:02.000
        <b>a <i>b <u>c</u></i></b> <c.yellow.bg_blue>d</c> <lang en-GB>e</lang> <ruby>f<rt>g</rt></ruby>
        <00:01.500>h &amp; &lt;i&gt; &nbsp;j&#39;s &unknown; k

        """,
      cues: [["1000", "2000", "a b c d e fg\nh & <i> \u{a0}j's &unknown; k"]]),
    Case(
      name: "voices.vtt",
      text: """
        WEBVTT

        00:01.000 --> 00:02.000
        <v Ada Lovelace>Hello
        <v.loud Bob &amp; Co>Hi</v> there

        00:02.500 --> 00:03.500
        <v Ada>One <b>two</b></v>

        """,
      cues: [["1000", "2000", "Ada Lovelace: Hello\nBob & Co: Hi there"], ["2500", "3500", "Ada: One two"]]),
    Case(
      name: "overlap.vtt",
      text: """
        WEBVTT

        00:01.000 --> 00:04.000
        long

        00:01.000 --> 00:02.000
        same

        00:01.500 --> 00:03.000
        later

        """,
      cues: [["1000", "4000", "long"], ["1000", "2000", "same"], ["1500", "3000", "later"]]),
    Case(
      name: "identifiers.vtt",
      text: """
        WEBVTT

        42
        00:01.000 --> 00:02.000
        first

        NOTE not an id

        an id with spaces
        00:02.500 --> 00:03.500
        second

        """, cues: two),
    Case(
      name: "odd.vtt",
      text: """
        WEBVTT

        00:02.000 --> 00:02.000
        nothing

        00:03.000 --> 00:01.000
        backwards

        00:xx.000 --> 00:02.000
        unreadable

        1:00:01,000 --> 1:00:02
        late

        00:05.000 --> 00:06.000


        """,
      cues: [["3601000", "3602000", "late"]], omitted: 4, ffmpegAgrees: false),
    Case(
      name: "long-times.vtt",
      text: """
        WEBVTT

        100:00:01.000 --> 100:00:02.000
        first

        """, cues: [["360001000", "360002000", "first"]], ffmpegAgrees: false),
    Case(
      name: "no-cue-text-end.vtt",
      text: """
        WEBVTT

        00:01.000 --> 00:02.000
        <v Ada

        00:02.500 --> 00:03.500
        a < b <b>c
        """, cues: [["2500", "3500", "a c"]], omitted: 1, ffmpegAgrees: false),
    Case(
      name: "segments.vtt",
      text: """
        WEBVTT
        X-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000

        00:01.000 --> 00:02.000
        first

        WEBVTT
        X-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000

        00:02.500 --> 00:03.500
        second

        """, cues: two),
  ]
}
