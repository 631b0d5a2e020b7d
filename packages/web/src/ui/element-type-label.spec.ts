import { expect } from 'chai';
import { elementTypeLabel } from './element-type-label.js';

describe('elementTypeLabel', () => {
  it('should make words of types of BPMN', () => {
    expect(
      ['bpmn:ServiceTask', 'intermediateCatchEvent', 'bpmn:Process', 'multiInstanceBody'].map(elementTypeLabel),
    ).to.deep.equal(['Service task', 'Intermediate catch event', 'Process', 'Multi-instance body']);
  });

  it('should leave what is no type of BPMN as it is', () => {
    expect(['acme:Robot', 'constructor', ''].map(elementTypeLabel)).to.deep.equal(['Robot', 'constructor', '']);
  });
});
