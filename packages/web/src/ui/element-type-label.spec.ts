import { expect } from 'chai';
import { elementTypeLabel } from './element-type-label.js';

describe('elementTypeLabel', () => {
  it('should convert BPMN types to words', () => {
    expect(
      ['bpmn:ServiceTask', 'intermediateCatchEvent', 'bpmn:Process', 'multiInstanceBody'].map(elementTypeLabel),
    ).to.deep.equal(['Service task', 'Intermediate catch event', 'Process', 'Multi-instance body']);
  });

  it('should return the local name of other types unchanged', () => {
    expect(['acme:Robot', 'constructor', ''].map(elementTypeLabel)).to.deep.equal(['Robot', 'constructor', '']);
  });
});
