import { AgentSettings } from '../../application/agents/agent-settings.js';
import { BuiltInAgentCatalogue } from '../../application/agents/built-in-agent-catalogue.js';
import { BuiltInAgentRuntime } from '../../application/agents/built-in-agent-runtime.js';
import { ModelTest } from '../../application/agents/model-test.js';
import { KnownSecrets } from '../../application/agents/redactor.js';
import { SettingsTestContribution } from '../../contributions/settings-test.js';
import { AgentCatalogue } from '../../ports/agent-catalogue.js';
import { AgentRuntimePort } from '../../ports/agent-runtime.js';
import type { ClockPort } from '../../ports/clock.js';
import { DefinitionStore } from '../../ports/definitions.js';
import type { CoreConfiguration } from '../configuration/core-configuration.js';
import type { Live } from '../live.js';
import type { Registrations } from '../registrations.js';
import type { LiveConfiguration } from '../settings/live-configuration.js';
import { ConfiguredSecrets } from './configured-secrets.js';

/** The agent runtime that comes with the core; a plugin that binds its port takes its place. */
export function registerAgents(registrations: Registrations, configuration: LiveConfiguration, clock: ClockPort): void {
  const live = configuration.of('core') as Live<CoreConfiguration>;
  registrations.provide(AgentSettings, {
    get directories() {
      return live.current.Agents.Directory;
    },
    get defaultModel() {
      const { Provider, Name } = live.current.Agents.DefaultModel;
      return Provider === undefined || Name === undefined ? undefined : { provider: Provider, name: Name };
    },
    get toolTimeoutMs() {
      return live.current.Agents.ToolTimeout;
    },
  } satisfies AgentSettings);
  registrations.provide(KnownSecrets, new ConfiguredSecrets(configuration, clock));
  registrations.bindByDefault(AgentRuntimePort, BuiltInAgentRuntime);
  registrations.bindByDefault(AgentCatalogue, BuiltInAgentCatalogue);
  registrations.registryOf('core', live).contribute(SettingsTestContribution, ModelTest);
}

/** Whether definitions are read: not without a place to keep them, nor for a runtime that has others. */
export function hasOwnAgents({ single }: Registrations): boolean {
  return single.has(DefinitionStore) && !single.has(AgentRuntimePort);
}
