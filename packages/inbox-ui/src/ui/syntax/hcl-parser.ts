import { simpleMode } from '@codemirror/legacy-modes/mode/simple-mode';

/** Parser of HCL, the language of Terraform. */
export const hcl = simpleMode({
  start: [
    { regex: /#.*|\/\/.*/, token: 'comment' },
    { regex: /\/\*/, token: 'comment', next: 'comment' },
    { regex: /"(?:[^\\"]|\\.)*"?/, token: 'string' },
    { regex: /(?:true|false|null)\b/, token: 'atom' },
    { regex: /\d+(?:\.\d+)?/, token: 'number' },
    {
      regex: /(?:resource|data|variable|output|module|provider|terraform|locals|moved|import|check|for|in|if)\b/,
      token: 'keyword',
    },
    { regex: /[\w-]+(?= *=(?!=))/, token: 'property' },
    { regex: /[\w-]+|[^\w"#/]+/, token: null },
  ],
  comment: [
    { regex: /.*?\*\//, token: 'comment', next: 'start' },
    { regex: /.+/, token: 'comment' },
  ],
});
