import { expect } from 'chai';
import { typeWords } from './type-words.js';

describe('typeWords', () => {
  it('should make words of types of BPMN', () => {
    expect(
      ['bpmn:ServiceTask', 'intermediateCatchEvent', 'bpmn:Process', 'multiInstanceBody'].map(typeWords),
    ).to.deep.equal(['Service task', 'Intermediate catch event', 'Process', 'Multi-instance body']);
  });

  it('should leave what is no type of BPMN as it is', () => {
    expect(['acme:Robot', 'constructor', ''].map(typeWords)).to.deep.equal(['Robot', 'constructor', '']);
  });
});
