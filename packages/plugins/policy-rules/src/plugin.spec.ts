import { expect } from 'chai';
import { PolicyPort, type PluginRegistry } from '@countersign/core/plugin';
import { PolicyRules, policyRulesPlugin } from './index.js';

describe('policyRulesPlugin', () => {
  it('should bind the policy port and nothing else', () => {
    const bound: unknown[] = [];
    const registry = {
      config: undefined,
      bind: (...binding: unknown[]) => bound.push(binding),
    } as unknown as PluginRegistry<unknown>;

    policyRulesPlugin.register(registry);

    expect(bound).to.deep.equal([[PolicyPort, PolicyRules]]);
  });

  it('should give the same policy for every command', () => {
    const rules = new PolicyRules();

    expect(rules.current()).to.equal(rules.current());
  });
});
