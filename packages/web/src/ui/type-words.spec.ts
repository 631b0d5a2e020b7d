import { expect } from 'chai';
import { typeWords } from './type-words.js';

describe('typeWords', () => {
  it('should make words of types of BPMN', () => {
    expect(['bpmn:ServiceTask', 'intermediateCatchEvent', 'bpmn:Process', ''].map(typeWords)).to.deep.equal(['Service task', 'Intermediate catch event', 'Process', '']);
  });
});
