import { definePlugin } from '@countersign/core/plugin';

export const modelAnthropicPlugin = definePlugin({
  id: 'model-anthropic',
  register() {
    // filled in by the commits that follow
  },
});

export { modelAnthropicPlugin as plugin };
