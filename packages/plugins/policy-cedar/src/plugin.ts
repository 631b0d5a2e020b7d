import { definePlugin } from '@countersign/core/plugin';

export const policyCedarPlugin = definePlugin({
  id: 'policy-cedar',
  register() {
    // filled in by the commits that follow
  },
});

export { policyCedarPlugin as plugin };
