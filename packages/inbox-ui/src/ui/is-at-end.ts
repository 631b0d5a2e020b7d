/** Returns whether an element is scrolled to its end. Tolerates rounding errors on scaled pages. */
export function isAtEnd({ scrollTop, clientHeight, scrollHeight }: HTMLElement): boolean {
  return scrollTop + clientHeight >= scrollHeight - 2;
}
