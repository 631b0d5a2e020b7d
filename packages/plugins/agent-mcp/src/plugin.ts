import { definePlugin } from '@countersign/core/plugin';

export const agentMcpPlugin = definePlugin({
  id: 'agent-mcp',
  register() {
    // filled in by the commits that follow
  },
});

export { agentMcpPlugin as plugin };
