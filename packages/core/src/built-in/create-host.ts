import { assembleHost, type Host, type HostOptions } from '../host/assemble-host.js';
import { absencesPlugin } from './absences-plugin.js';
import { agentsPlugin } from './agents-plugin.js';
import { applicationPlugin } from './application-plugin.js';
import { settingsPlugin } from './settings-plugin.js';

const BUILT_IN = [settingsPlugin, applicationPlugin, absencesPlugin, agentsPlugin];

/**
 * Puts plugins together, and those that come with the core: configuration, ports, contributions. Nothing is made or started
 * yet.
 *
 * @throws {HostStartError} with everything that is wrong.
 */
export function createHost(options: HostOptions): Host {
  return assembleHost(options, BUILT_IN);
}
