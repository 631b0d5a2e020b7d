export { createPolicy } from './create-policy.js';
export { PolicyRules } from './policy-rules.js';
export { plugin, policyRulesPlugin } from './plugin.js';
export { RULES, type RuleSet } from './rules.js';
