import { definePlugin } from '@countersign/core/plugin';

export const modelOpenaiPlugin = definePlugin({
  id: 'model-openai',
  register() {
    // filled in by the commits that follow
  },
});

export { modelOpenaiPlugin as plugin };
