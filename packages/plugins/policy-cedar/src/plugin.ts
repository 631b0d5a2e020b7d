import { definePlugin, LifecycleContribution, PolicyDraftPort, PolicyPort } from '@countersign/core/plugin';
import { CedarDrafts } from './cedar-drafts.js';
import { PolicyCedarConfiguration, PolicyCedarConfigurationSchema } from './configuration.js';
import { PolicyCedar } from './policy-cedar.js';

/** The operator's Cedar policies, which decide what steps and agents may do and who must approve. */
export const policyCedarPlugin = definePlugin({
  id: 'policy-cedar',
  config: PolicyCedarConfigurationSchema,
  register({ config, provide, bind, contribute }) {
    provide(PolicyCedarConfiguration, config);
    bind(PolicyPort, PolicyCedar);
    bind(PolicyDraftPort, CedarDrafts);
    contribute(LifecycleContribution, PolicyCedar);
  },
});

export { policyCedarPlugin as plugin };
