import type { Setting } from '@countersign/contract';
import { expect } from 'chai';
import { getErrorsByKey, toInputText, parseInput, buildSections } from './setting-values.js';

const createSetting = (key: string, overrides: Partial<Setting> = {}): Setting => ({
  key,
  title: key,
  description: null,
  type: 'string',
  value: null,
  isSecret: false,
  isSet: false,
  lastRotatedAt: null,
  source: 'default',
  editable: true,
  restartRequired: false,
  ...overrides,
});

describe('values of settings', () => {
  it('should be parsed according to the type of the setting, or refused with an error', () => {
    for (const [type, inputText, expected] of [
      ['integer', ' 12 ', { value: 12 }],
      ['integer', '1.5', { error: 'notAnInteger' }],
      ['number', '1.5', { value: 1.5 }],
      ['integer', '9007199254740993', { error: 'notExact' }],
      ['number', '', { error: 'notANumber' }],
      ['number', '0x10', { error: 'notANumber' }],
      ['number', '1234567890123456.78', { error: 'notExact' }],
      ['number', '1e400', { error: 'notExact' }],
      ['duration', 'PT10M', { value: 'PT10M' }],
      ['duration', 'PT', { error: 'notADuration' }],
      ['duration', 'ten minutes', { error: 'notADuration' }],
      ['boolean', 'true', { value: true }],
      ['list', 'a\n\n b \n', { value: ['a', 'b'] }],
      ['object', '{"a":1}', { value: { a: 1 } }],
      ['object', '[1]', { error: 'notJson' }],
      ['object', '{', { error: 'notJson' }],
      ['object', '{"a":1e400}', { error: 'inexactJson' }],
    ] as const)
      expect(parseInput({ type, value: null }, inputText), `${type} ${inputText}`).to.deep.equal(expected);
    expect(parseInput({ type: 'list', value: [{ Id: 'a' }] }, '[{"Id":"b"}]')).to.deep.equal({ value: [{ Id: 'b' }] });
    expect(parseInput({ type: 'list', value: [{ Id: 'a' }] }, 'b')).to.deep.equal({ error: 'notJson' });
  });

  it('should round-trip through their input text', () => {
    for (const [type, value] of [
      ['integer', 5],
      ['list', ['a', 'b']],
      ['list', [{ Id: 'a' }]],
      ['object', { a: [1] }],
      ['duration', 'PT1M'],
      ['string', ' a '],
    ] as const) {
      expect(parseInput({ type, value: value as never }, toInputText({ type, value: value as never }))).to.deep.equal({
        value,
      });
    }
  });

  it('should be found by all words of a search and grouped by section', () => {
    const allSettings = [
      createSetting('Log:Level', { description: 'Minimum level.' }),
      createSetting('Log:Format', { source: 'file' }),
      createSetting('Runs:StuckAfter'),
    ];
    expect(buildSections(allSettings, '', false).map(({ name, settings }) => [name, settings.length])).to.deep.equal([
      ['Log', 2],
      ['Runs', 1],
    ]);
    expect(
      buildSections(allSettings, 'LOG minimum', false).flatMap(({ settings }) => settings.map(({ key }) => key)),
    ).to.deep.equal(['Log:Level']);
    expect(
      buildSections(allSettings, '', true).flatMap(({ settings }) => settings.map(({ key }) => key)),
    ).to.deep.equal(['Log:Format']);
  });

  it('should have their errors assigned by key', () => {
    expect([
      ...getErrorsByKey([
        { pointer: '/values/Log:Level', message: 'a' },
        { pointer: '/secrets/X:a~1b', message: 'b' },
        { pointer: '/values/Door:Sources/0/Id', message: 'c' },
      ]),
    ]).to.deep.equal([
      ['Log:Level', 'a'],
      ['X:a/b', 'b'],
      ['Door:Sources', 'c'],
    ]);
  });
});
