/// A language, in BCP 47 and in the notations of the containers.
package struct LanguageTag {
  /// The three-letter code: ISO 639-2/T, or ISO 639-3 for a language without a code in 639-2.
  package let code: String

  /// The language of a BCP 47 tag (`de`, `deu`, `pt-BR`), given by its first subtag. `nil` if the tag is malformed, or if a
  /// two-letter subtag isn't a language code.
  package init?(_ tag: String) {
    let subtags = tag.split(separator: "-", omittingEmptySubsequences: false)
    guard let first = subtags.first, (2...3).contains(first.utf8.count), first.utf8.allSatisfy(\.isLetter),
      subtags.dropFirst().allSatisfy({ (1...8).contains($0.utf8.count) && $0.utf8.allSatisfy(\.isLetterOrDigit) })
    else { return nil }
    let language = first.lowercased()
    if language.utf8.count == 2 {
      guard let code = Self.threeLetters[language] else { return nil }
      self.code = code
    } else {
      code = Self.terminological[language] ?? language
    }
  }

  /// The language of a container's code; `nil` if the code means "undetermined" or isn't a language.
  init?(containerCode: String) {
    let stated = containerCode.lowercased()
    self.init(Self.macintosh.first { $0.value == stated }?.key ?? stated)
    if code == "und" { return nil }
  }

  /// The shortest BCP 47 tag.
  var tag: String { Self.threeLetters.first { $0.value == code }?.key ?? code }

  /// The ISO 639-2/B code, which Matroska uses.
  package var bibliographicCode: String { Self.bibliographic[code] ?? code }

  /// libavformat's name for the language in QuickTime files; `nil` if the language has no Macintosh code.
  package var quickTimeCode: String? {
    Self.macintosh[code] ?? (Self.quickTime.contains(code) ? Self.bibliographic[code] ?? code : nil)
  }

  /// The languages whose Macintosh codes libavformat spells differently from ISO 639-2/B.
  private static let macintosh = [
    "ces": "ces", "fao": "fo ", "fra": "fra", "gle": "iri", "hrv": "hr ", "ron": "ron", "slk": "slk", "srp": "sr ",
    "swe": "sve",
  ]

  /// ISO 639-2/B codes that differ from 639-2/T.
  private static let bibliographic = [
    "bod": "tib", "ces": "cze", "cym": "wel", "deu": "ger", "ell": "gre", "eus": "baq", "fas": "per", "fra": "fre",
    "hye": "arm", "isl": "ice", "kat": "geo", "mkd": "mac", "mri": "mao", "msa": "may", "mya": "bur", "nld": "dut",
    "ron": "rum", "slk": "slo", "sqi": "alb", "zho": "chi",
  ]
  private static let terminological = Dictionary(uniqueKeysWithValues: bibliographic.map { ($1, $0) })

  /// ISO 639-1 to ISO 639-2/T.
  private static let threeLetters = pairs(
    """
    aa:aar ab:abk ae:ave af:afr ak:aka am:amh an:arg ar:ara as:asm av:ava ay:aym az:aze ba:bak be:bel bg:bul bi:bis
    bm:bam bn:ben bo:bod br:bre bs:bos ca:cat ce:che ch:cha co:cos cr:cre cs:ces cu:chu cv:chv cy:cym da:dan de:deu
    dv:div dz:dzo ee:ewe el:ell en:eng eo:epo es:spa et:est eu:eus fa:fas ff:ful fi:fin fj:fij fo:fao fr:fra fy:fry
    ga:gle gd:gla gl:glg gn:grn gu:guj gv:glv ha:hau he:heb hi:hin ho:hmo hr:hrv ht:hat hu:hun hy:hye hz:her ia:ina
    id:ind ie:ile ig:ibo ii:iii ik:ipk io:ido is:isl it:ita iu:iku ja:jpn jv:jav ka:kat kg:kon ki:kik kj:kua kk:kaz
    kl:kal km:khm kn:kan ko:kor kr:kau ks:kas ku:kur kv:kom kw:cor ky:kir la:lat lb:ltz lg:lug li:lim ln:lin lo:lao
    lt:lit lu:lub lv:lav mg:mlg mh:mah mi:mri mk:mkd ml:mal mn:mon mr:mar ms:msa mt:mlt my:mya na:nau nb:nob nd:nde
    ne:nep ng:ndo nl:nld nn:nno no:nor nr:nbl nv:nav ny:nya oc:oci oj:oji om:orm or:ori os:oss pa:pan pi:pli pl:pol
    ps:pus pt:por qu:que rm:roh rn:run ro:ron ru:rus rw:kin sa:san sc:srd sd:snd se:sme sg:sag si:sin sk:slk sl:slv
    sm:smo sn:sna so:som sq:sqi sr:srp ss:ssw st:sot su:sun sv:swe sw:swa ta:tam te:tel tg:tgk th:tha ti:tir tk:tuk
    tl:tgl tn:tsn to:ton tr:tur ts:tso tt:tat tw:twi ty:tah ug:uig uk:ukr ur:urd uz:uzb ve:ven vi:vie vo:vol wa:wln
    wo:wol xh:xho yi:yid yo:yor za:zha zh:zho zu:zul
    """)

  /// The other languages that have a Macintosh code. libavformat writes no others into QuickTime files.
  private static let quickTime: Set<String> = Set(
    """
    amh ara asm aym aze bel ben bod bul cat cym dan deu dzo ell eng epo est eus fas fin grn guj heb hin hun hye ind
    isl ita jav jpn kan kas kat kaz khm kin kir kor kur lao lat lav lit mal mar mkd mlg mlt mon msa mya nep nld nor
    nya ori orm pol por pus que run rus san sin slv snd som spa sqi swa tam tat tel tgk tgl tha tir tuk tur uig ukr
    urd uzb vie yid zho
    """.split(whereSeparator: \.isWhitespace).map(String.init))

  private static func pairs(_ text: String) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: text.split(whereSeparator: \.isWhitespace).map { pair in
        (String(pair.prefix(2)), String(pair.suffix(3)))
      })
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { (0x41...0x5a).contains(self) || (0x61...0x7a).contains(self) }
  fileprivate var isLetterOrDigit: Bool { isLetter || (0x30...0x39).contains(self) }
}
