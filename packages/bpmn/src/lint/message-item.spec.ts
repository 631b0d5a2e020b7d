import { expect } from 'chai';
import { buildModel, lintWithRule } from './lint.spec.support.js';

const throwModel = (message: string, root = '', attributes = '') =>
  buildModel(
    ['start > say', 'say > e'],
    `<bpmn:intermediateThrowEvent id="say"><bpmn:messageEventDefinition id="d" messageRef="m" ${attributes}/></bpmn:intermediateThrowEvent>`,
    ['say'],
    `${root}<bpmn:message id="m" name="m" ${message}/>`,
  );
const ITEM_DEFINITION = '<bpmn:itemDefinition id="item" structureRef="String"/>';

describe('Lint: message-item', () => {
  it('should report an event whose message declares an item, unless an operation exchanges the message', async () => {
    const operation =
      '<bpmn:interface id="i" name="i"><bpmn:operation id="o" name="o"><bpmn:inMessageRef>m</bpmn:inMessageRef></bpmn:operation></bpmn:interface>';

    expect(await lintWithRule('message-item', throwModel('itemRef="item"', ITEM_DEFINITION))).to.deep.equal([
      'warning say',
    ]);
    expect(
      await lintWithRule('message-item', throwModel('itemRef="item"', ITEM_DEFINITION + operation, 'operationRef="o"')),
    ).to.deep.equal([]);
    expect(await lintWithRule('message-item', throwModel(''))).to.deep.equal([]);
  });
});
