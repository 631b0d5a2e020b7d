export { loadPolicy, makePolicy, type LoadedPolicy } from './load-policy.js';
export { PolicyInvalidError } from './policy-fault.js';
export { plugin, policyCedarPlugin } from './plugin.js';
