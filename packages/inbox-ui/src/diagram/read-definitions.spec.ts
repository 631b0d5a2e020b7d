import { expect } from 'chai';
import { parseDefinitions, readDefinitions } from './read-definitions.js';

const createModel = (id: string): string =>
  `<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" id="${id}"><bpmn:process id="p" /></bpmn:definitions>`;

describe('readDefinitions and parseDefinitions', () => {
  it('should parse a file once for all readers, and separately for a comparison', async () => {
    // when
    const [cached, cachedAgain, uncached] = await Promise.all([
      readDefinitions(createModel('d')),
      readDefinitions(createModel('d')),
      parseDefinitions(createModel('d')),
    ]);

    // then
    expect(cached).to.include({ id: 'd' });
    expect(cachedAgain).to.equal(cached);
    expect(uncached).to.include({ id: 'd' }).and.not.equal(cached);
  });

  it('should escape invisible characters for display, but not for a comparison', async () => {
    // given
    const xml = createModel('hidden').replace('id="p"', 'id="p" name="Pay&#x202e;001"');
    const getProcessName = (definitions: object): unknown =>
      (definitions as { rootElements: { name: string }[] }).rootElements[0]?.name;

    // then
    expect(getProcessName(await readDefinitions(xml))).to.equal('Pay⟦U+202E⟧001');
    expect(getProcessName(await parseDefinitions(xml))).to.equal('Pay\u202e001');
  });

  it('should resolve references as the engine does', async () => {
    // given
    const xml = createModel('d')
      .replace('<bpmn:definitions ', '<bpmn:definitions xmlns:t="http://t" targetNamespace="http://t" ')
      .replace(
        '<bpmn:process id="p" />',
        '<bpmn:process id=" p "><bpmn:task id="&#x10061;"/><bpmn:task id="a"/><bpmn:task id="b"/><bpmn:sequenceFlow id="f" sourceRef=" a " targetRef="t:b"/></bpmn:process>',
      );

    // when
    const { rootElements } = (await parseDefinitions(xml)) as {
      rootElements: {
        id: string;
        flowElements: { id: string; targetRef?: { id: string }; sourceRef?: { id: string } }[];
      }[];
    };

    // then
    const flow = rootElements[0]?.flowElements[3];
    expect([rootElements[0]?.id, flow?.sourceRef?.id, flow?.targetRef?.id]).to.deep.equal(['p', 'a', 'b']);
    // Truncated to 16 bits, the character would be another "a".
    expect(rootElements[0]?.flowElements[0]?.id).to.equal('\u{10061}');
  });

  it('should evict the BPMN models that were least recently read', async () => {
    // given
    const first = await readDefinitions(createModel('first'));

    // when
    for (const id of ['a', 'b', 'c', 'd']) await readDefinitions(createModel(id));

    // then
    expect(await readDefinitions(createModel('first')))
      .to.include({ id: 'first' })
      .and.not.equal(first);
  });

  it('should fail on every attempt for a file that is not a BPMN model', async () => {
    for (const html of ['<html />', '<html />'])
      expect(await readDefinitions(html).catch((error: Error) => error.message)).to.be.a('string');
  });
});
