import { Fragment, jsxDEV as plainJsxDev } from 'react/jsx-dev-runtime';
import { escapeProps, type Props } from './jsx-runtime.js';

export { Fragment };
export type { JSX } from 'react/jsx-dev-runtime';

/** JSX runtime under `npm run dev`: like `jsx-runtime.ts`, plus the source locations for React's warnings. */
export function jsxDEV(
  type: Parameters<typeof plainJsxDev>[0],
  props: unknown,
  ...rest: Rest
): ReturnType<typeof plainJsxDev> {
  return plainJsxDev(type, escapeProps(props as Props), ...rest);
}

type Rest = Parameters<typeof plainJsxDev> extends [unknown, unknown, ...infer R] ? R : never;
