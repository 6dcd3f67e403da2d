import CompositorAPI
import CompositorExport
import CompositorProjectFormat

/// The paths of a plan, which are relative to its folder, as this process opens them, whatever its current folder is.
package struct PlanPaths: Hashable, Sendable {
  /// The plan's folder with a slash at its end; empty for the current folder.
  private let folder: String

  /// Creates the paths of a plan.
  ///
  /// - Parameter path: The path of the plan's file.
  package init(ofPlan path: String) { folder = String(FileName.prefix(of: path)) }

  /// The path of a file that is named in the plan.
  package func opened(_ path: String) -> String { path.hasPrefix("/") ? path : folder + path }

  /// The same without `.` and, as far as possible, without `..`, to compare it with others.
  func compared(_ path: String) -> String { opened(path).normalizedPath }

  /// The path that the plan has for a path from ``opened(_:)``. Others are unchanged.
  func planned(_ opened: String) -> String { opened.hasPrefix(folder) ? String(opened.dropFirst(folder.count)) : opened }

  /// An input of the plan with the path of its file.
  func opened(_ input: SegmentPlan.InputFile) -> SegmentPlan.InputFile {
    var result = input
    result.path = opened(input.path)
    return result
  }

  /// A recipe of the plan with the paths of its files.
  package func opened(_ recipe: SegmentPlan.Recipe) -> SegmentPlan.Recipe { recipe.mappingFiles { opened($0) } }

  /// A recipe as the plan has it.
  func planned(_ recipe: SegmentPlan.Recipe) -> SegmentPlan.Recipe { recipe.mappingFiles { planned($0) } }
}

extension SegmentPlan.Recipe {
  /// The recipe with other paths for the files that overrides and settings name.
  fileprivate func mappingFiles(_ path: (String) -> String) -> SegmentPlan.Recipe {
    var result = self
    result.overrides.captions.files = overrides.captions.files.map(path)
    result.overrides.plugins.files = overrides.plugins.files.map(path)
    result.overrides.plugins.trusted = overrides.plugins.trusted.map { PluginOverrides.isFile($0) ? path($0) : $0 }
    if case .file(let file)? = settings.cover { result.settings.cover = CoverImage.file(path: path(file)) }
    return result
  }
}

extension SegmentPlanFile {
  /// The paths of the plan.
  package var paths: PlanPaths { PlanPaths(ofPlan: path) }
}
