import { formatCount } from '../format-count.js';

export const forms = {
  errors: (n: number) => `${formatCount(n, 'problem', 'problems')} to correct`,
  at: (location: string, message: string) => `${location}: ${message}`,
  whole: 'The whole value',
  asJson: 'Edit as JSON',
  asForm: 'Edit as a form',
  jsonHint: 'A JSON value.',
  jsonFree: 'A JSON object. No schema describes it.',
  jsonOnly: 'A JSON value: its schema is too complex for a form.',
  notJson: ({ line, column, inexact }: { readonly line: number; readonly column: number; readonly inexact?: true }) =>
    inexact
      ? `The number on line ${line}, column ${column} can’t be stored exactly. Put it in quotation marks.`
      : `Invalid JSON: see line ${line}, column ${column}.`,
  notForm: 'This must be valid JSON before it can be shown as a form.',
  schema: 'Show schema',
  add: 'Add',
  addTo: (title: string) => `Add to ${title}`,
  nothing: 'No input needed.',
  buttons: { up: 'Move up', down: 'Move down', copy: 'Copy', remove: 'Remove' },
  valueErrors: {
    required: 'Required.',
    type: (types: readonly string[]) => `Must be ${types.join(' or ')}.`,
    types: {
      string: 'text',
      number: 'a number',
      integer: 'a whole number',
      boolean: 'true or false',
      object: 'an object',
      array: 'a list',
      null: 'null',
    },
    inexact: 'This number has too many digits, or is too large, to be stored exactly.',
    notNumber: (whole: boolean) =>
      `Must be a ${whole ? 'whole number such as -1234' : 'number such as -1234.5'}, without spaces, commas or quotation marks.`,
    notAllowed: 'Not allowed here.',
    oneOf: (options: readonly string[]) => {
      const all = options.join(', ');
      if (all.length > 200) return 'Must be one of the options.';
      const last = options.at(-1) ?? '';
      return `Must be ${options.length < 2 ? last : `${options.slice(0, -1).join(', ')} or ${last}`}.`;
    },
    pattern: 'Does not match the required pattern.',
    format: (format: string) => `Must be a valid ${format}.`,
    noAlternative: 'Must match exactly one of the alternatives.',
    noneOfAlternatives: 'Must match at least one of the alternatives.',
    least: (n: string) => `Must be at least ${n}.`,
    most: (n: string) => `Must be at most ${n}.`,
    moreThan: (n: string) => `Must be more than ${n}.`,
    lessThan: (n: string) => `Must be less than ${n}.`,
    multipleOf: (n: string) => `Must be a multiple of ${n}.`,
    fewItems: (n: string) => `Has too few items; at least ${n} are needed.`,
    manyItems: (n: string) => `Has too many items; at most ${n} are allowed.`,
    fewMembers: (n: string) => `Has too few members; at least ${n} are needed.`,
    manyMembers: (n: string) => `Has too many members; at most ${n} are allowed.`,
    contains: 'Has no matching item.',
    fewSuchItems: (n: string) => `Has too few matching items; at least ${n} are needed.`,
    manySuchItems: (n: string) => `Has too many matching items; at most ${n} are allowed.`,
    unique: 'Has duplicate items.',
    not: 'This value is not allowed.',
    name: 'This name is not allowed.',
    other: 'Does not have the required structure.',
    tooShort: (n: number, minimum: number) =>
      `Has ${formatCount(n, 'character', 'characters')}; at least ${minimum} are needed.`,
    tooLong: (n: number, maximum: number) =>
      `Has ${formatCount(n, 'character', 'characters')}; at most ${maximum} are allowed.`,
  },
} as const;
