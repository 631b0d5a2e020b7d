import { expect } from 'chai';
import { satisfiesPluginApi } from './plugin-api.js';

describe('satisfiesPluginApi', () => {
  for (const [version, range, expected] of [
    ['0.1.7', '^0.1.0', true],
    ['0.2.0', '^0.1.0', false],
    ['1.5.0', '>= 1.0.0 <2', true],
    ['1.5.0', '1.0.0 - 1.4', false],
    ['3.0.0', '^1.0.0 || ^3', true],
    ['3.0.0', '*', true],
    ['3.0.0', '', true],
    ['0.2.0-rc.1', '^0.2.0', true],
    ['0.2.0-rc.1', '>=0.1.0 <0.2.0', false],
    ['0.2.0-rc.1', '^0.2.0-beta.3', true],
    ['0.2.0-rc.1', '0.2.0-rc.1', true],
    ['0.2.0-rc.1', '0.2.0-rc.2', false],
    ['0.2.0-rc.1', '^0.1.0', false],
    ['1.0.0', 'latest', false],
    ['1.0.0', '^1.0.0 || workspace:*', false],
  ] as const) {
    it(`should find ${version} ${expected ? 'in' : 'outside of'} "${range}"`, () => {
      expect(satisfiesPluginApi(range, version)).to.equal(expected);
    });
  }
});
