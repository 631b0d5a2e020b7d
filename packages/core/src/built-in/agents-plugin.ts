import { inject, injectable } from 'inversify';
import { NoToolPins } from '../application/agent-queries/no-tool-pins.js';
import { AgentSettings, type DefaultModel } from '../application/agents/agent-settings.js';
import { BuiltInAgentCatalogue } from '../application/agents/built-in-agent-catalogue.js';
import { BuiltInAgentRuntime } from '../application/agents/built-in-agent-runtime.js';
import { ModelProviderTest } from '../application/agents/model-provider-test.js';
import { LifecycleContribution } from '../contributions/lifecycle.js';
import { ModelProviderContribution } from '../contributions/model-provider.js';
import { SettingsTestContribution } from '../contributions/settings-test.js';
import { ToolContribution } from '../contributions/tool.js';
import { ToolSourceContribution } from '../contributions/tool-source.js';
import { type CoreConfiguration, LiveCoreConfiguration } from '../host/configuration/core-configuration.js';
import { definePlugin } from '../host/define-plugin.js';
import type { Live } from '../host/live.js';
import { AgentCatalogue, ToolPinPort } from '../ports/agent-catalogue.js';
import { AgentRuntimePort } from '../ports/agent-runtime.js';
import { DefinitionStore } from '../ports/definitions.js';

@injectable()
class ConfiguredAgentSettings implements AgentSettings {
  constructor(@inject(LiveCoreConfiguration) private readonly configuration: Live<CoreConfiguration>) {}

  get directories(): readonly string[] {
    return this.configuration.current.Agents.Directory;
  }

  get defaultModel(): DefaultModel | undefined {
    const { Provider, Name } = this.configuration.current.Agents.DefaultModel;
    return Provider === undefined || Name === undefined ? undefined : { provider: Provider, name: Name };
  }

  get toolTimeoutMs(): number {
    return this.configuration.current.Agents.ToolTimeout;
  }
}

/** The built-in agent runtime. A plugin that binds `AgentRuntimePort` replaces it, including its agent definitions. */
export const agentsPlugin = definePlugin({
  id: 'core:agents',
  dependsOn: [DefinitionStore, ToolContribution, ToolSourceContribution, ModelProviderContribution],
  register({ bind, bindDefault, contribute }) {
    bind(AgentSettings, ConfiguredAgentSettings);
    bindDefault(AgentRuntimePort, BuiltInAgentRuntime);
    bindDefault(AgentCatalogue, BuiltInAgentCatalogue);
    bindDefault(ToolPinPort, NoToolPins);
    contribute(LifecycleContribution, BuiltInAgentRuntime);
    contribute(SettingsTestContribution, ModelProviderTest);
  },
});
