import { agentToolsPlugin } from '@countersign/agent-tools';
import { connectorHttpPlugin } from '@countersign/connector-http';
import type { Plugin } from '@countersign/core';
import { modelOpenaiPlugin } from '@countersign/model-openai';
import { outboundHttpPlugin } from '@countersign/outbound-http';

/** What agents need of the plugins that come with the server. Apart, as it takes long to load, and most servers are killed without. */
export const AGENT_PLUGINS: readonly Plugin[] = [
  outboundHttpPlugin,
  connectorHttpPlugin,
  agentToolsPlugin,
  modelOpenaiPlugin,
];
