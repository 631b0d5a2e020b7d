import { agentToolsPlugin } from '@countersign/agent-tools';
import { connectorHttpPlugin } from '@countersign/connector-http';
import type { Plugin } from '@countersign/core';
import { modelOpenaiPlugin } from '@countersign/model-openai';
import { outboundHttpPlugin } from '@countersign/outbound-http';

/**
 * Shipped plugins that agents need. They are in a separate module, because it loads slowly and most server processes do
 * not need it.
 */
export const AGENT_PLUGINS: readonly Plugin[] = [
  outboundHttpPlugin,
  connectorHttpPlugin,
  agentToolsPlugin,
  modelOpenaiPlugin,
];
