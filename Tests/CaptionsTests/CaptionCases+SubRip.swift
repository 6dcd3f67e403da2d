/// SubRip: what programs and people write.
extension CaptionFormatTableTests {
  static let subRip: [Case] = [
    Case(
      name: "plain.srt",
      text: """
        1
        00:00:01,000 --> 00:00:02,000
        first

        2
        00:00:02,500 --> 00:00:03,500
        second

        """, cues: two),
    Case(
      name: "no-blank.srt",
      text: """
        1
        00:00:01,000 --> 00:00:02,000
        first
        2
        00:00:02,500 --> 00:00:03,500
        second
        """, cues: two),
    Case(
      name: "no-index.srt",
      text: """
        00:00:01,000 --> 00:00:02,000
        first

        00:00:02,500 --> 00:00:03,500
        second

        """, cues: two, ffmpegAgrees: false),
    Case(
      name: "points.srt",
      text: """
        1
        00:00:01.000 --> 00:00:02.000
        first

        2
        00:00:02.5 --> 00:00:03.50
        second

        """, cues: two),
    Case(
      name: "spaces.srt",
      text: """


         1 
         00:00:01,000  -->  00:00:02,000 
        first


        2
        00:00: 02,500-->00:00:03, 500
        second


        """, cues: two, ffmpegAgrees: false),
    Case(
      name: "no-hours.srt",
      text: """
        1
        00:01,000 --> 00:02,000
        first

        2
        0:02,500 -> 0:03,500
        second

        """, cues: two, ffmpegAgrees: false),
    Case(
      name: "no-fraction.srt",
      text: """
        1
        00:00:01 --> 00:00:02
        first

        2
        00:00:02:500 --> 00:00:03:500
        second

        """, cues: two, ffmpegAgrees: false),
    Case(
      name: "crlf.srt",
      text: """
        \u{feff}1\r
        00:00:01,000 --> 00:00:02,000\r
        first\r
        \r
        2\r
        00:00:02,500 --> 00:00:03,500\r
        second\r

        """, cues: two),
    Case(
      name: "cr.srt",
      text: """
        1\r00:00:01,000 --> 00:00:02,000\rfirst\r\r2\r00:00:02,500 --> 00:00:03,500\rsecond\r
        """, cues: two, ffmpegAgrees: false),
    Case(
      name: "negative.srt", text: "1\n-00:00:01,000 --> 00:00:02,000\nfirst\n\n2\n00:00:02,500 --> 00:00:03,500\nsecond\n",
      cues: [["-1000", "2000", "first"], ["2500", "3500", "second"]], ffmpegAgrees: false),
    Case(
      name: "coordinates.srt",
      text: """
        1
        00:00:01,000 --> 00:00:02,000 X1:201 X2:516 Y1:397 Y2:423
        first

        2
        00:00:02,500 --> 00:00:03,500  X1:100 Y1:100
        second

        """, cues: two),
    Case(
      name: "tags.srt",
      text: """
        1
        00:00:01,000 --> 00:00:02,000
        {\\an8}<b>a <i>b</b></i> <FONT COLOR=red size="3">c</font> &amp; &lt;d&gt; &#233; AT&T x<3 {laughs} {y:i}e<br>f

        """,
      cues: [["1000", "2000", "a b c & <d> é AT&T x<3 {laughs} e\nf"]]),
    Case(
      name: "inner-blank.srt",
      text: """
        1
        00:00:01,000 --> 00:00:02,000
        first

        of two

        2
        00:00:02,500 --> 00:00:03,500
        2012

        3
        00:00:04,000 --> 00:00:05,000
        was a year

        """,
      cues: [["1000", "2000", "first\nof two"], ["2500", "3500", "2012"], ["4000", "5000", "was a year"]]),
    Case(
      name: "unordered.srt",
      text: """
        2
        00:00:02,500 --> 00:00:03,500
        second

        1
        00:00:01,000 --> 00:00:02,000
        first

        """, cues: two),
    Case(
      name: "odd.srt",
      text: """
        1
        00:00:02,000 --> 00:00:02,000
        nothing

        2
        00:00:03,000 --> 00:00:01,000
        backwards

        3
        00:00:0x,000 --> 00:00:02,000
        unreadable

        4
        00:00:01,000 --> 00:00:02,000

        5
        00:00:02,500 --> 00:00:03,500
        second

        """,
      cues: [["2500", "3500", "second"]], omitted: 4, ffmpegAgrees: false),
    Case(
      name: "millions.srt",
      text: """
        1000000
        00:00:01,000 --> 00:00:02,000
        first

        1000001
        00:00:02,500 --> 00:00:03,500
        second

        """, cues: two),
    Case(
      name: "arrow-in-text.srt",
      text: """
        1
        00:00:01,000 --> 00:00:02,000
        a --> b

        2
        00:00:02,500 --> 00:00:03,500
        second

        """,
      cues: [["1000", "2000", "a --> b"], ["2500", "3500", "second"]]),
  ]
}
