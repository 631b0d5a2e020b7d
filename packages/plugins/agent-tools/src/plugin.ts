import { definePlugin } from '@countersign/core/plugin';

export const agentToolsPlugin = definePlugin({
  id: 'agent-tools',
  register() {
    // filled in by the commits that follow
  },
});

export { agentToolsPlugin as plugin };
