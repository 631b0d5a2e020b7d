import { assembleHost, type Host, type HostOptions } from '../host/assemble-host.js';
import { absencesPlugin } from './absences-plugin.js';
import { agentsPlugin } from './agents-plugin.js';
import { applicationPlugin } from './application-plugin.js';
import { settingsPlugin } from './settings-plugin.js';

const BUILT_IN_PLUGINS = [settingsPlugin, applicationPlugin, absencesPlugin, agentsPlugin];

/**
 * Assembles the given and the built-in plugins: configuration, ports, contributions. Creates and starts no instances
 * yet.
 *
 * @throws {HostStartError} if the host cannot be assembled; it lists all problems
 */
export function createHost(options: HostOptions): Host {
  return assembleHost(options, BUILT_IN_PLUGINS);
}
