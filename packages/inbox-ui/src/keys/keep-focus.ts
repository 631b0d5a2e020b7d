/** Elements that receive the focus when the focused element is gone: named parts of a page, or focusable ones. */
const PLACES =
  '[tabindex], main, section[aria-label], section[aria-labelledby], form[aria-label], form[aria-labelledby], article[aria-label], [role="region"], [role="dialog"], [role="tabpanel"], [role="grid"], [role="tree"]';

/** Dialogs of the kit and others return the focus themselves, a moment later. */
const PATIENCE_MS = 50;

interface Focused {
  readonly element: HTMLElement;
  /** Ancestors from the inside out up to the layer, recorded because a removed element has none. */
  readonly around: readonly HTMLElement[];
  /** The dialog or menu around the element. */
  readonly layer: Element | null;
}

/** Layers over the page, opened from the page or from another layer. */
const LAYERS = '[role="dialog"], [role="menu"], [role="listbox"]';

/**
 * Keeps the focus from being lost. If the focused element is removed or disabled (a filtered row, a button whose action
 * is done, a closed dialog), the focus moves to the element that opened the dialog, or to the nearest remaining part
 * around it. Users of keys or a screen reader continue there and not at the top of the page (WCAG 2.4.3, 3.2.2). An
 * element that was disabled only for a while gets the focus back.
 *
 * @returns a function that stops this
 */
export function keepFocus(): () => void {
  let last: Focused | undefined;
  /** The last focused element, even if the user left it: a dialog takes the focus a moment after it was opened. */
  let before: Focused | undefined;
  /** The element that opened each layer: a dialog may lie over another one. */
  const openers = new WeakMap<Element, Focused>();
  /** The element that has the focus in place of a disabled one. */
  let instead: { readonly of: HTMLElement; readonly place: HTMLElement } | undefined;
  /** The focused element that was disabled; it may be enabled again before the next check. */
  let disabled: HTMLElement | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const onFocusIn = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLElement) || target === document.body) return;
    if (target !== instead?.place) instead = undefined;
    disabled = undefined;
    const layer = target.closest(LAYERS);
    // Returning from a layer that was opened inside this layer does not change its opener.
    if (
      layer !== null &&
      before !== undefined &&
      layer !== before.layer &&
      (before.layer === null || !openers.has(layer))
    )
      openers.set(layer, before);
    last = before = { element: target, around: ancestors(target, layer), layer };
  };
  const onFocusOut = ({ target, relatedTarget }: FocusEvent): void => {
    // Also fires for a removed element, before it is gone.
    if (relatedTarget === null)
      setTimeout(
        () =>
          target === last?.element && target !== disabled && isLost() && canHave(last.element) && (last = undefined),
      );
  };
  const check = (): void => {
    timer = undefined;
    if (instead !== undefined && document.activeElement === instead.place && canHave(instead.of)) {
      instead.of.focus({ preventScroll: true });
      return;
    }
    if (disabled !== undefined && isLost() && canHave(disabled)) {
      disabled.focus({ preventScroll: true });
      return;
    }
    // A user who left the element by a click elsewhere or by Escape wants no focus.
    if (!isLost() || last === undefined || canHave(last.element)) return;
    const { element } = last;
    const place = [...last.around, ...opening(last), ...document.querySelectorAll<HTMLElement>('main')].find(takes);
    if (place === undefined) return;
    give(place);
    if (element.isConnected) instead = { of: element, place };
  };
  /** Returns the openers of the layer and of the layers around it, with their ancestors, from the inside out. */
  const opening = ({ layer }: Focused): readonly HTMLElement[] => {
    const found: HTMLElement[] = [];
    const seen = new Set<Element>();
    for (let at = layer; at !== null && !seen.has(at);) {
      seen.add(at);
      const opener = openers.get(at);
      if (opener !== undefined) found.push(opener.element, ...opener.around);
      at = opener?.layer ?? null;
    }
    return found;
  };
  const observer = new MutationObserver(() => {
    if (last?.element.matches(':disabled') === true) disabled = last.element;
    if (isLost() || instead !== undefined) timer ??= setTimeout(check, PATIENCE_MS);
  });
  document.addEventListener('focusin', onFocusIn);
  document.addEventListener('focusout', onFocusOut);
  observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] });
  return () => {
    clearTimeout(timer);
    observer.disconnect();
    document.removeEventListener('focusin', onFocusIn);
    document.removeEventListener('focusout', onFocusOut);
  };
}

/**
 * Returns whether the focus is lost. A disabled element counts as lost: the browser blurs it in the next frame without
 * an event.
 */
function isLost(): boolean {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body || activeElement.matches(':disabled');
}

function canHave(element: HTMLElement): boolean {
  return element.isConnected && !element.matches(':disabled') && element.checkVisibility();
}

function takes(element: HTMLElement): boolean {
  return (
    canHave(element) &&
    element.closest('[inert], [aria-hidden="true"]') === null &&
    (element.matches(PLACES) || element.tabIndex >= 0)
  );
}

function give(place: HTMLElement): void {
  if (!place.hasAttribute('tabindex') && place.tabIndex < 0) {
    place.tabIndex = -1;
    place.addEventListener('blur', () => place.removeAttribute('tabindex'), { once: true });
  }
  place.focus({ preventScroll: true });
}

function ancestors(element: HTMLElement, layer: Element | null): readonly HTMLElement[] {
  const found: HTMLElement[] = [];
  for (
    let at = element.parentElement;
    at !== null && at !== document.body && at !== layer?.parentElement;
    at = at.parentElement
  )
    found.push(at);
  return found;
}
