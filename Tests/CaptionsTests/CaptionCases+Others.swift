/// ASS, SSA, SBV, LRC, SubViewer and SAMI.
extension CaptionFormatTableTests {
  private static func script(_ events: String, format: String = "") -> String {
    CaptionReadingTests.script(events: format + events)
  }

  static let otherFormats: [Case] = [
    Case(
      name: "events.ass",
      text: script(
        """
        Comment: 0,0:00:00.00,0:00:09.00,Default,,0,0,0,,not shown
        Dialogue: 0,0:00:01.00,0:00:02.00,Default,Ada,0,0,0,,{\\i1}fir{\\i0}st
        Dialogue: 1,0:00:02.50,0:00:03.50,*Default,,0,0,0,Banner;5,sec{\\k20}ond
        """), cues: two),
    Case(
      name: "no-info.ass",
      text: """
        [V4+ Styles]
        Format: Name, Fontname, Fontsize
        Style: Default,DejaVu Sans,20

        [Events]
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
        Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,first
        Dialogue: 0,0:00:02.50,0:00:03.50,Default,,0,0,0,,second

        """,
      cues: two, ffmpegAgrees: false),
    Case(
      name: "few-fields.ass",
      text: """
        [Script Info]

        [V4+ Styles]
        Format: Name, Fontname, Fontsize
        Style: Default,DejaVu Sans,20

        [Events]
        Format: Layer, Start, End, Style, Name, Text
        Dialogue: 0,0:00:01.00,0:00:02.00,Default ,Olly,fir{ignored}st
        Dialogue: 0,0:00:02:50,0:00:03:50,Default,Olly,second

        """, cues: two, ffmpegAgrees: false),
    Case(
      name: "other-order.ass",
      text: """
        [Script Info]

        [Events]
        Format: End, Start, Text
        Comment: 0:00:09.00,0:00:00.00,not shown
        Dialogue: 0:00:02.00,0:00:01.00,first, with a comma
        Dialogue: 0:00:03.50,0:00:02.50,second

        """, cues: [["1000", "2000", "first, with a comma"], ["2500", "3500", "second"]], ffmpegAgrees: false),
    Case(
      name: "more-fields.ass",
      text: """
        [Script Info]

        [Events]
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginT, MarginB, Effect, Text
        Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,0,,first
        Dialogue: 0,0:00:02.50,0:00:03.50,Default,,0,0,0,0,,second, too

        """, cues: [["1000", "2000", "first"], ["2500", "3500", "second, too"]], ffmpegAgrees: false),
    Case(
      name: "old.ssa",
      text: """
        [Script Info]
        ScriptType: v4.00
        PlayResY: 288

        [V4 Styles]
        Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, TertiaryColour, BackColour, Bold, Italic, \
        BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, AlphaLevel, Encoding
        Style: Default,DejaVu Sans,20,65535,65535,65535,-2147483640,-1,0,1,3,0,2,30,30,30,0,0

        [Events]
        Format: Marked, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
        Dialogue: Marked=0,0:00:01.00,0:00:02.00,Default,NTP,0000,0000,0000,,first
        Dialogue: Marked=0,0:00:02.50,0:00:03.50,Default,NTP,0000,0000,0000,,second

        """,
      cues: two),
    Case(
      name: "youtube.sbv",
      text: """
        0:00:01.000,0:00:02.000
        first

        0:00:02.500,0:00:03.500
        second

        """, cues: two, ffmpegAgrees: false),
    Case(
      name: "song.lrc",
      text: """
        [ar:Somebody]
        [ti:A song]
        [offset:0]
        [00:01.00]fi<00:01.50>rst
        [00:02.00]
        [00:02.50]second
        [00:03.5]

        """, cues: two,
      ffmpegAgrees: false),
    Case(
      name: "chorus.lrc", text: "[00:01.00][00:05.00]again\n[00:02.00]\n[00:06.00]\n",
      cues: [["1000", "2000", "again"], ["5000", "6000", "again"]], ffmpegAgrees: false),
    Case(
      name: "viewer.sub",
      text: """
        [INFORMATION]
        [TITLE]x
        [END INFORMATION]
        [SUBTITLE]
        00:00:01.00,00:00:02.00
        first

        00:00:02.50,00:00:03.50
        second


        """,
      cues: two, ffmpegAgrees: false),
    Case(
      name: "page.smi",
      text: """
        <SAMI>
        <BODY>
        <SYNC Start=1000><P Class=ENCC>first
        <SYNC Start=2000><P Class=ENCC>&nbsp;
        <SYNC Start=2500><P Class=ENCC>second
        <SYNC Start=3500><P Class=ENCC>&nbsp;
        </BODY>
        </SAMI>

        """,
      cues: two, ffmpegAgrees: false),
  ]
}
