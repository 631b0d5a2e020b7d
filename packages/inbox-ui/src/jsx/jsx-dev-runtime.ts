import { Fragment, jsxDEV as plainJsxDev } from 'react/jsx-dev-runtime';
import { escapeProps, type Props } from './jsx-runtime.js';

export { Fragment };
export type { JSX } from 'react/jsx-dev-runtime';

/** What JSX becomes under `npm run dev`: as in `jsx-runtime.ts`, with the places in the sources that React's warnings name. */
export function jsxDEV(
  type: Parameters<typeof plainJsxDev>[0],
  props: unknown,
  ...rest: Rest
): ReturnType<typeof plainJsxDev> {
  return plainJsxDev(type, escapeProps(props as Props), ...rest);
}

type Rest = Parameters<typeof plainJsxDev> extends [unknown, unknown, ...infer R] ? R : never;
