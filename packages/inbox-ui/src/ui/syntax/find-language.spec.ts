import { expect } from 'chai';
import { findLanguage } from './find-language.js';

describe('findLanguage', () => {
  for (const [path, language] of [
    ['src/total.ts', 'typescript'],
    ['deploy/values.YAML', 'yaml'],
    ['main.tf', 'hcl'],
    ['services/pay/Dockerfile', 'dockerfile'],
    ['Dockerfile.test', 'dockerfile'],
    ['vendor-payment.bpmn', 'xml'],
    ['.env', 'properties'],
    ['notes.txt', undefined],
    ['src.ts/README', undefined],
    ['constructor', undefined],
    ['', undefined],
  ] as const)
    it(`should return ${language ?? 'no language'} for ${JSON.stringify(path)}`, () => {
      expect(findLanguage(path)).to.equal(language);
    });
});
