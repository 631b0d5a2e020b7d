import { expect } from 'chai';
import { MODEL_LIMITS } from './limits.js';
import {
  compileModel,
  definitions,
  element,
  flow,
  serviceTask,
  sequentialFlow,
  model,
  requireNode,
  findProblems,
  findProblemCodes,
} from './models.spec.support.js';
import { seconds } from '@countersign/model/testing';

/** Returns the only problem of a BPMN model that must be refused quickly, and the time it took. */
async function measureRefusal(
  xml: string | Uint8Array,
): Promise<{ code: string; message: string; milliseconds: number }> {
  await compileModel(model(sequentialFlow(serviceTask('a'), 'a')));
  const startedAt = performance.now();
  const problems = await findProblems(xml);
  const milliseconds = performance.now() - startedAt;
  expect(problems).to.have.length(1);
  return { code: problems[0]!.code, message: problems[0]!.message, milliseconds };
}

describe('parseXml', () => {
  describe('hostile files', () => {
    it('should refuse a DOCTYPE, with or without entities', async () => {
      const entityBomb = '<!DOCTYPE b [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>';
      const xml = model(sequentialFlow(serviceTask('a'), 'a')).replace('?>', `?>${entityBomb}`);
      expect((await measureRefusal(xml)).code).to.equal('doctype_refused');
      expect(await findProblemCodes('<!doctype html><html/>')).to.deep.equal(['- doctype_refused']);
    });

    it('should quickly refuse 100,000 nested elements', async () => {
      const xml = model('<bpmn:subProcess>'.repeat(100_000) + '</bpmn:subProcess>'.repeat(100_000));
      const { code, message, milliseconds } = await measureRefusal(xml);
      expect(code).to.equal('model_too_large');
      expect(message).to.contain(String(MODEL_LIMITS.depth));
      expect(milliseconds).to.be.below(seconds(2));
    });

    it('should refuse too many elements and name the limit', async () => {
      const list = `<bpmn:extensionElements>${'<modeler:x/>'.repeat(9_000)}</bpmn:extensionElements>`;
      const xml = model([1, 2, 3, 4, 5, 6].map((n) => element('task', `t${n}`, '', list)).join(''));
      const { code, message } = await measureRefusal(xml);
      expect(code).to.equal('model_too_large');
      expect(message).to.contain(String(MODEL_LIMITS.elements));
    });

    it('should refuse too many children, attributes and namespaces', async () => {
      const children = model('<bpmn:task/>'.repeat(MODEL_LIMITS.children + 1));
      const attributes = model(`<bpmn:task ${Array.from({ length: 1_001 }, (_, n) => `a${n}=""`).join(' ')}/>`);
      const namespaces = definitions(Array.from({ length: 501 }, (_, n) => `<x:y xmlns:x="urn:${n}"/>`).join(''));
      for (const xml of [children, attributes, namespaces]) {
        expect((await measureRefusal(xml)).code).to.equal('model_too_large');
      }
    });

    it('should refuse a file that exceeds the size limit', async () => {
      const xml = model(`<!--${'x'.repeat(MODEL_LIMITS.bytes)}-->`);
      expect((await measureRefusal(xml)).code).to.equal('model_too_large');
    });

    it('should stop reading after 100 unknown elements', async () => {
      const problems = await findProblems(
        model(Array.from({ length: 5_000 }, (_, n) => `<bpmn:nonsense${n}/>`).join('\n')),
      );
      expect(problems).to.have.length(101);
    });
  });

  describe('XML that is not well-formed', () => {
    const cases: readonly (readonly [string, string])[] = [
      ['an empty file', ''],
      ['only text', 'hello'],
      ['JSON', '{"a": 1}'],
      ['an unclosed element', '<a><b></b>'],
      ['a wrong closing tag', '<a><b></a></b>'],
      ['a second root', '<a/><b/>'],
      ['text after the root', '<a/>x'],
      ['a duplicate attribute', '<a b="1" b="2"/>'],
      ['an attribute without quotes', '<a b=1/>'],
      ['attributes without a space between them', '<a b="1"c="2"/>'],
      ['"<" in an attribute', '<a b="<"/>'],
      ['an unknown entity', '<a>&nbsp;</a>'],
      ['a bare "&"', '<a b="x & y"/>'],
      ['a reference to a control character', '<a>&#0;</a>'],
      ['a reference beyond Unicode', '<a>&#x110000;</a>'],
      ['a control character', '<a>\u0001</a>'],
      ['half of a surrogate pair', '<a>\ud800</a>'],
      ['a comment within a comment', '<a><!-- -- --></a>'],
      ['"]]>" in text', '<a>]]></a>'],
      ['an XML declaration inside an element', '<a><?xml version="1.0"?></a>'],
      ['XML 1.1', '<?xml version="1.1"?><a/>'],
      ['an element declaration', '<a><!ELEMENT b></a>'],
    ];
    for (const [title, xml] of cases) {
      it(`should refuse ${title}`, async () => {
        expect(await findProblemCodes(xml)).to.deep.equal(['- malformed_xml']);
      });
    }

    it('should report the line of the error', async () => {
      const [problem] = await findProblems('<a>\n  <b>\r\n  </c>\n</a>');
      expect(problem).to.include({ code: 'malformed_xml', line: 3 });
    });
  });

  describe('encodings', () => {
    it('should read UTF-8 with a byte order mark', async () => {
      const bytes = Buffer.from(
        `\ufeff${model(sequentialFlow(serviceTask('a'), 'a')).replace('A process', 'Prüfung 🚀')}`,
      );
      expect((await compileModel(bytes)).name).to.equal('Prüfung 🚀');
    });

    it('should refuse bytes that are not UTF-8', async () => {
      const bytes = Buffer.from(model(sequentialFlow(serviceTask('a'), 'a')).replace('A process', 'Prüfung'), 'latin1');
      expect(await findProblemCodes(bytes)).to.deep.equal(['- unsupported_encoding']);
    });

    it('should refuse a file that declares another encoding', async () => {
      const xml = model(sequentialFlow(serviceTask('a'), 'a')).replace('UTF-8', 'ISO-8859-1');
      expect(await findProblemCodes(xml)).to.deep.equal(['- unsupported_encoding']);
    });

    it('should preserve characters beyond U+FFFF that are written as character references', async () => {
      const graph = await compileModel(
        model(sequentialFlow(serviceTask('a'), 'a')).replace('A process', 'go &#128640; &#x41;'),
      );
      expect(graph.name).to.equal('go 🚀 A');
    });

    it('should normalize white space in attributes as XML specifies', async () => {
      const xml = model(sequentialFlow(element('serviceTask', 'a', '<zeebe:taskDefinition type="a\r\n\tb"/>'), 'a'));
      expect((await requireNode(xml, 'a', 'jobTask')).jobType).to.deep.equal({ literal: 'a  b' });
    });
  });

  describe('unknown or invalid content', () => {
    it('should refuse a file that is not BPMN', async () => {
      expect(await findProblemCodes('<html xmlns="http://www.w3.org/1999/xhtml"/>')).to.deep.equal(['- not_bpmn']);
    });

    it('should refuse unknown elements and attributes of BPMN and Zeebe', async () => {
      const task = element('task', 'a', '<zeebe:nonsense/>', '<bpmn:nonsense/>', 'nonsense="1" zeebe:other="2"');
      const codes = await findProblemCodes(model(sequentialFlow(task, 'a')));
      expect(codes).to.have.members([
        'a unknown_attribute',
        'a unknown_attribute',
        '- unknown_element',
        '- unknown_element',
      ]);
    });

    it('should ignore extensions of other namespaces', async () => {
      const task = element(
        'task',
        'a',
        '<modeler:note modeler:x="1"><modeler:y>text</modeler:y></modeler:note>',
        '',
        'modeler:z="1"',
      );
      expect((await compileModel(model(sequentialFlow(task, 'a')))).nodes.has('a')).to.equal(true);
    });

    it('should refuse references to missing elements', async () => {
      expect(await findProblemCodes(model(sequentialFlow('', 'missing')))).to.include.members([
        'start-missing unresolved_reference',
        'missing-end unresolved_reference',
      ]);
    });

    it('should refuse references to the names of inherited JavaScript properties', async () => {
      expect(await findProblemCodes(model(sequentialFlow('', 'constructor')))).to.include(
        'start-constructor unresolved_reference',
      );
      expect(await findProblemCodes(model(sequentialFlow('', '__proto__')))).to.include(
        'start-__proto__ unresolved_reference',
      );
    });

    it('should refuse a duplicate id and report its line', async () => {
      const problems = await findProblems(model(`${sequentialFlow(serviceTask('a'), 'a')}\n${serviceTask('a')}`));
      expect(problems).to.deep.include({
        elementId: 'a',
        code: 'duplicate_id',
        message: 'The id "a" is used more than once.',
        line: 5,
      });
    });

    for (const id of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      it(`should refuse the reserved id ${id}`, async () => {
        expect(await findProblemCodes(model(sequentialFlow(serviceTask(id), id)))).to.deep.equal([`${id} reserved_id`]);
      });
    }

    it('should refuse invalid ids', async () => {
      expect(await findProblemCodes(model(sequentialFlow(serviceTask('1 a'), 'a')))).to.include('1 a invalid_id');
    });

    it('should refuse a second element if only one is allowed', async () => {
      const duplicateExtensions = '<bpmn:extensionElements/><bpmn:extensionElements/>';
      expect(
        await findProblemCodes(model(sequentialFlow(element('task', 'a', '', duplicateExtensions), 'a'))),
      ).to.deep.equal(['- duplicate_element']);
      expect(
        await findProblemCodes(
          model(
            sequentialFlow(serviceTask('a'), 'a') +
              flow('a', 'end', 'x').replace('</bpmn:seq', '<bpmn:conditionExpression/></bpmn:seq'),
          ),
        ),
      ).to.deep.equal(['- duplicate_element']);
    });
  });
});
