import CompositorAPI

// Which of the near names may be written in place of another one without asking: those with an obvious typo.

/// Whether a word is a misspelling of a name, and no other word: the same letters in another notation, or one slip in one of its
/// parts, as in `rotatoinX`, `opacty` and `colour`. `speed` is no misspelled `seed`, `noAudio` no `audio`, `textColor` no `boxColor`.
package func isMisspelling(_ word: String, of name: String) -> Bool {
  guard !looksLike(word, name) else { return true }
  let (own, other) = (nameParts(word), nameParts(name))
  guard own.count == other.count else { return false }
  let differing = zip(own, other).filter { $0 != $1 }
  guard let (part, counterpart) = differing.first, differing.count == 1 else { return false }
  return isSlip(part, counterpart)
}

/// Whether two names have the same letters and digits, of which O and 0, l and 1 look alike.
private func looksLike(_ first: String, _ second: String) -> Bool {
  func shapes(_ name: String) -> [Character] {
    name.lowercased().filter { $0.isLetter || $0.isNumber }.map { $0 == "o" ? "0" : $0 == "l" ? "1" : $0 }
  }
  return shapes(first) == shapes(second)
}

/// Whether a part of a name is another one with a letter too many, too few, wrong or swapped, but neither the first letter nor another
/// ending (`lighter`, `lighten`), and no word of its own. Of a number, the last digits may be
/// missing; a plural is no other word.
private func isSlip(_ part: String, _ other: String) -> Bool {
  guard !isCutShort(part, other), part != other + "s", other != part + "s" else { return true }
  guard part.first == other.first, editDistance(part, other) == 1, !editingWords.contains(part) else { return false }
  let isSwap = part.count == other.count && part.sorted() == other.sorted()
  guard min(part.count, other.count) >= (isSwap ? 3 : 4) else { return false }
  if part.count == other.count { return isSwap || part.dropLast() != other.dropLast() }
  // A key that was pressed too long.
  return !part.hasPrefix(other) || part.last == other.last
}

/// Words that people write of pictures, audio and edits, of which each is near the part of a name: they are meant as they stand.
private let editingWords = Set(
  """
  age angel angled back bank barn bars bend best better bevel black bland blank blend blends blind block blue bluer blur
  blurb bold border bound burn card cards carve cast cater clap click clip clock clocks close code coded codes colon comic
  consent contend content contest context contract contrast coop corp count county court cover crow cubit cure curse cut
  darker dash date dates decay decays deck decks defer delay dept depth desk dodge dodgy double down drag draw drip drop
  duct ducts dunk each ease eased eases edge edges edict emit end ends event events ever exit face faced faces fact fade
  faded fades fake fall fame far farm fast fate feast fed feed file filed files fill filler film filter fin find fine
  fire first fist fit fitter fitters flag flame flames flap flat flip float flood floor flow fold folder fond font foot
  force forced fore fork form formal format fort forth forts forward found fount fraction frame framed framer free
  from front fronts full gain game gold good goods grain grid group groups grout guide guided hand hard harp head
  heads heard heat hidden hide hint hold hole holes hook hop house image imaged insert inserted inserts intensify internal
  interval invent invented invested italics item join joint key keys label labels lace last late layer lead left legend
  less level levels lift light lighten lighter like line lined liner lines link links list live load lock look loop loose
  lose loud love luma made make male mark marks mash mask masks mast match mate meant media merge mesh mild mile mill mind
  mine mirror mix mixed mixer mode model modes mood more most motion move moved mover moves movie mute muted name named
  names near nest net new next node nodes noise none nose note notes numb number object odd off offer offers offset older
  on one open option order orders origin out outlive over overlap overlaps overlay overpay own pace paces pack page paint
  paints pair pan part parts past paste pastes pat patch paths patter pause pauses peak peel perk person phase phased
  phases phone phrase pin pink pit pitch place plane planes plate plates play played player playing plot plots plug plum
  point points poke pole pop port pose position post power present presents press print prints probe prone prop proper
  property push quad quality quite race rage rail rain range ranged ranger ranges rank rare rate rated rates ratio ratios
  reach read real recess record rect reel region remove removes render repeal repeat repent reset resets reside rest
  reveal reverse reversed reverses revert right ring rise rode role roll rolls room root rose rotate rotates rotating
  round rounds row rows rule ruled ruler rules rune rung safe sale same sample sampled sampler samples save saved scalar
  scale scaled scaler scales scare scene scenes score screen scroll seam seat second see seed seek seen sense sent set
  sets shade shaded shades shadow shadowy shake shape shaped shapes share shared shares sharp sheet shift shifts shine
  ship shirt shot show shows shrink side sided sides sigma sign simple single sink site size sized sizer sizes skew skin
  skip skips slate slave sleep slice slide slides slip slit slope slot slots slow slower smart snap snow soft softer sold
  sole solid some sort source span spare speak spectra speed speeds spell spend spent spill spills spin spine spins
  spline split spot spray spread spring springs sprint square squares stack stage stale stamp stand star stars start
  starts state stated states stay stays steep stem step steps stick still stitch stop stops store story straight stretch
  strike strikes string strings strip stripe stroke strokes strong style styled styles sub swap sweep swing swipe swirl
  tab table tag tail take tale talk tall target task taste teal tear tell tent test tests text texts thing third tick
  tight tile tiles till tilt time timed timer times tint tints tip title titles toggle tone toned tones tool top torn
  touch trace traces track tracks traffic trail train trait trim trip true try tube tune turn twin twist type typed types
  unit units update use used user vale valid value valued values valve vary version video view views visible voice void
  volume wait walk wall warm warp warps wash wave way weight west wheel while white whole wide width wind window wine wipe
  wiped wiper wipes wire wise with wood word words work world wrap wrapped wraps write writes written year zero zone zones
  zoom
  """.split(whereSeparator: \.isWhitespace).map(String.init))
