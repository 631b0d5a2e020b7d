export { loadPolicy, makePolicy, type LoadedPolicy } from './load-policy.js';
export { readPolicyFiles } from './policy-files.js';
export { plugin, policyCedarPlugin } from './plugin.js';
