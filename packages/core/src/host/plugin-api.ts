import { satisfies, SemVer } from 'semver';
import { VERSION } from './version.generated.js';

/**
 * The version of what `@countersign/core/plugin` offers, by the rules of semantic versioning: that of this package. A
 * plugin's manifest names the range that it works with.
 */
export const PLUGIN_API_VERSION: string = VERSION;

/**
 * Whether a version of the plugin API lies in a range of npm's kind, such as `^0.1.0`. A pre-release also counts as its
 * release, so that plugins can be tried with it. False where the range can't be read.
 */
export function offersPluginApi(range: string, version: string = PLUGIN_API_VERSION): boolean {
  const { major, minor, patch } = new SemVer(version);
  return satisfies(version, range) || satisfies(`${major}.${minor}.${patch}`, range);
}
