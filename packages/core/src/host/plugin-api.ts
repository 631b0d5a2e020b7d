import { satisfies, SemVer } from 'semver';
import { VERSION } from './version.generated.js';

/**
 * The semantic version of `@countersign/core/plugin`, which is that of this package. A plugin's manifest states the
 * range that it supports.
 */
export const PLUGIN_API_VERSION: string = VERSION;

/**
 * Returns whether a version of the plugin API satisfies a semver range such as `^0.1.0`. A pre-release also counts as
 * its release, so that plugins can be tested with it. Returns false for an invalid range.
 */
export function satisfiesPluginApi(range: string, version: string = PLUGIN_API_VERSION): boolean {
  const { major, minor, patch } = new SemVer(version);
  return satisfies(version, range) || satisfies(`${major}.${minor}.${patch}`, range);
}
