import CompositorAPI
import CompositorMediaIO
import Testing

/// Graphs reach no file, whatever their notation.
struct FilterAccessTests {
  @Test(arguments: [
    "movie=a.mp4", "[0]null[a];movie=a.mp4[b];[a][b]overlay", " mov\\ie=a.mp4", "'movie'=a.mp4", "movie@x=a.mp4",
    "null,amovie=a",
    "lut3d=a.cube", "lut3d=file=a.cube", "subtitles=a.srt", "drawtext=textfile=/etc/passwd", "frei0r=glow", "zmq",
    "sendcmd=f=a.txt", "curves=psfile=a.acv", "curves=preset=vintage:psfile=a", "curves=vintage:0/0:0/0", "ssim=stats_file=-",
    "psnr=f=a", "metadata=print:file=a", "gblur=/sigma=a.txt", "gblur=sigma=1:/steps=a", "life=a.txt[b];[0][b]overlay",
    "scale_vaapi", "deshake=filename=x", "paletteuse=debug_kdtree=x", "[0] null [x] ; [x] movie = a",
  ])
  func graph_thatNamesAFile_isRefused(_ graph: String) {
    let error = #expect(throws: CompositorError.self) { try FilterAccess.check(graph) }
    #expect(error?.code == .sourceRefused)
  }

  @Test(arguments: [
    "gblur=sigma=8", "curves=vintage", "curves=preset=vintage", "[0][1]overlay=x='if(gt(t,1),10,20)'", "hue=h=90:s=1",
    "geq=lum='p(X,Y)':cb=128:cr=128", "ssim", "drawbox=x=1:y=2:color=red@0.5",
  ])
  func graph_ofPicturesAlone_isAllowed(_ graph: String) {
    #expect(throws: Never.self) { try FilterAccess.check(graph) }
  }

  @Test func notation_quotesAndEscapes_areReadAsLibavDoes() {
    let filters = FilterNotation.filters(in: "[0:v]drawbox@a=x=1:y='2,3':t=a\\:b [o]; [o] hflip , vflip")
    #expect(filters.map(\.name) == ["drawbox", "hflip", "vflip"])
    #expect(filters[0].text == "x=1:y=2,3:t=a:b")
    #expect(filters[0].arguments.map(\.key) == ["x", "y", "t", nil])
  }
}
