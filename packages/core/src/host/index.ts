export type { Host, HostOptions } from './assemble-host.js';
export { definePlugin, type Implementation, type Plugin, type PluginRegistry } from './define-plugin.js';
export type { PluginSource } from './check-plugins.js';
export type { HostProblem } from '../errors/host-problem.js';
export { HostStartError, isHostStartError } from '../errors/host-start-error.js';
export { HostStopError } from './host-stop-error.js';
export { loadPlugins, type LoadedPlugins } from './load-plugins.js';
export type { LoadedPlugin, PluginManifest } from './loaded-plugin.js';
export { PLUGIN_API_VERSION } from './plugin-api.js';
export { Secret, secret } from './secret.js';
export { findSecretPaths, type SecretPathPart } from './find-secret-paths.js';
export { startHost } from './start-host.js';
export { explainConfiguration, type ExplainedConfiguration } from './explain-configuration.js';
export { HostSettings, type CatalogueEntry } from './settings/host-settings.js';
export {
  CoreConfiguration,
  CoreConfigurationSchema,
  LiveCoreConfiguration,
} from './configuration/core-configuration.js';
export type { ConfigurationEntry, ConfigurationView } from './configuration/configuration-view.js';
export type {
  CommandLineValue,
  ConfigurationFile,
  ConfigurationLayers,
  ConfigurationSource,
  SavedSetting,
} from './configuration/configuration-layers.js';
export { duration, filePath, deploymentOnly, keyedBy, reloadable } from './configuration/schema-metadata.js';
export { readConfigurationFile } from './configuration/read-configuration-file.js';
export { readCoreConfiguration, type EarlyConfiguration } from './configuration/read-core-configuration.js';
