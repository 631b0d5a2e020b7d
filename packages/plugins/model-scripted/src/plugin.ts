import { definePlugin } from '@countersign/core/plugin';

export const modelScriptedPlugin = definePlugin({
  id: 'model-scripted',
  register() {
    // filled in by the commits that follow
  },
});

export { modelScriptedPlugin as plugin };
