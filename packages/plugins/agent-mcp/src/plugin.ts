import {
  definePlugin,
  LifecycleContribution,
  ReadinessCheckContribution,
  SettingsTestContribution,
  ToolPinPort,
  ToolSourceContribution,
} from '@countersign/core/plugin';
import { McpConfiguration, McpConfigurationSchema, McpServers } from './configuration.js';
import { McpReadiness } from './mcp-readiness.js';
import { McpSettingsTest } from './mcp-settings-test.js';
import { McpTools } from './mcp-tools.js';
import { PinnedTools } from './pinned-tools.js';

/** Provides tools of MCP servers for agents: those that an operator allows, in the form that was accepted. */
export const agentMcpPlugin = definePlugin({
  id: 'agent-mcp',
  config: McpConfigurationSchema,
  register({ config, bind, contribute, provide }) {
    provide(McpConfiguration, config.Agents.Mcp);
    provide(McpServers, config.Agents.Mcp.Servers);
    bind(ToolPinPort, PinnedTools);
    contribute(ToolSourceContribution, McpTools);
    contribute(LifecycleContribution, McpTools);
    contribute(ReadinessCheckContribution, McpReadiness);
    contribute(SettingsTestContribution, McpSettingsTest);
  },
});

export { agentMcpPlugin as plugin };
