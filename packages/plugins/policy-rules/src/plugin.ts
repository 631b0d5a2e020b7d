import { definePlugin, PolicyPort } from '@countersign/core/plugin';
import { PolicyRules } from './policy-rules.js';

/** The built-in policy. It has no configuration: what it does is in `rules.ts`, and its digest says which rules those were. */
export const policyRulesPlugin = definePlugin({
  id: 'policy-rules',
  register({ bind }) {
    bind(PolicyPort, PolicyRules);
  },
});

export { policyRulesPlugin as plugin };
