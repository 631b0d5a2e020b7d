import { agentMcpPlugin } from '@countersign/agent-mcp';
import { agentToolsPlugin } from '@countersign/agent-tools';
import { artifactsFilesystemPlugin } from '@countersign/artifacts-filesystem';
import { codehostWebhookPlugin } from '@countersign/codehost-webhook';
import {
  ArtifactStorePort,
  createHost,
  EnginePort,
  LiveCoreConfiguration,
  loadPlugins,
  PolicyPort,
  readCoreConfiguration,
  StoragePort,
  type ConfigurationLayers,
  type CoreConfiguration,
  type Host,
  type HostOptions,
  type HostProblem,
  type PluginSource,
} from '@countersign/core';
import { connectorCodehostPlugin } from '@countersign/connector-codehost';
import { connectorHttpPlugin } from '@countersign/connector-http';
import { connectorNotifyPlugin } from '@countersign/connector-notify';
import { modelAnthropicPlugin } from '@countersign/model-anthropic';
import { modelOpenaiPlugin } from '@countersign/model-openai';
import { modelScriptedPlugin } from '@countersign/model-scripted';
import { outboundHttpPlugin } from '@countersign/outbound-http';
import { eventIngressPlugin } from '@countersign/event-ingress';
import { policyCedarPlugin } from '@countersign/policy-cedar';
import { storagePostgresPlugin } from '@countersign/storage-postgres';
import { dirname } from 'node:path';
import { checkAuthConfiguration } from '../auth/check-auth-configuration.js';
import { createCommandLogger } from './create-command-logger.js';
import { ENGINE_NAMES, loadEngine } from './load-engine.js';

/**
 * Creates the host of the `countersign` command with the bundled plugins and the plugins in the configuration.
 *
 * @throws {HostStartError}
 */
export async function composeHost(layers: ConfigurationLayers): Promise<Host> {
  const { core } = readCoreConfiguration(layers);
  const logger = createCommandLogger(core?.Log ?? { Level: 'info' });
  const host = createHost({ ...(await loadHostOptions(layers)), logger });
  for (const warning of host.configuration.warnings) logger.warn({}, warning);
  host.get(LiveCoreConfiguration).onChange(({ Log }) => {
    logger.level = Log.Level;
  });
  return host;
}

/** Loads the plugins and returns the options of the host. */
export async function loadHostOptions(layers: ConfigurationLayers): Promise<HostOptions> {
  const { core, view } = readCoreConfiguration(layers);
  const names = view.find('Plugins')?.value;
  const loaded = await loadPlugins(
    Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [],
    layers.file === undefined ? process.cwd() : dirname(layers.file.path),
  );
  const engine = await loadEngine(view.find('Engine:Adapter')?.value);
  const selectPlugin = (key: string, value: string, plugin: PluginSource): PluginSource[] =>
    view.find(key)?.value === value ? [plugin] : [];
  return {
    // Plugins start in this order and stop in reverse order, so the engine runs only while the plugins that its jobs
    // need are available.
    plugins: [
      storagePostgresPlugin,
      ...selectPlugin('Artifacts:Store', 'filesystem', artifactsFilesystemPlugin),
      policyCedarPlugin,
      outboundHttpPlugin,
      connectorHttpPlugin,
      connectorCodehostPlugin,
      connectorNotifyPlugin,
      agentToolsPlugin,
      agentMcpPlugin,
      modelOpenaiPlugin,
      modelAnthropicPlugin,
      modelScriptedPlugin,
      codehostWebhookPlugin,
      eventIngressPlugin,
      ...loaded.plugins,
      ...engine.plugins,
    ],
    configuration: layers,
    required: [StoragePort, ArtifactStorePort, PolicyPort, EnginePort],
    missingPortHints: core === undefined ? new Map() : buildMissingPortHints(core),
    problems: [...loaded.problems, ...engine.problems, ...(core === undefined ? [] : findAuthProblems(core))],
  };
}

type PortToken = NonNullable<HostOptions['required']>[number];

/** Returns hints for ports that are missing because a setting names an implementation that no plugin provides. */
function buildMissingPortHints({ Engine, Artifacts }: CoreConfiguration): NonNullable<HostOptions['missingPortHints']> {
  const hint = (key: string, value: string, ...knownValues: readonly string[]): string =>
    `${key} is "${value}", which no plugin provides. Set it to ${knownValues.map((known) => `"${known}"`).join(' or ')}, or add the plugin that provides "${value}" to Plugins.`;
  const hints: [PortToken, string][] = [];
  if (!ENGINE_NAMES.includes(Engine.Adapter))
    hints.push([EnginePort, hint('Engine:Adapter', Engine.Adapter, ...ENGINE_NAMES)]);
  if (Artifacts.Store !== 'filesystem')
    hints.push([ArtifactStorePort, hint('Artifacts:Store', Artifacts.Store, 'filesystem')]);
  return new Map(hints);
}

function findAuthProblems(core: Parameters<typeof checkAuthConfiguration>[0]): HostProblem[] {
  try {
    checkAuthConfiguration(core);
    return [];
  } catch (cause) {
    return [{ code: 'auth_configuration', message: cause instanceof Error ? cause.message : String(cause), cause }];
  }
}
