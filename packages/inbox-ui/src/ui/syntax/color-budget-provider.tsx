import { useContext, useState, type ReactNode } from 'react';
import { ColorBudget, ColorBudgetContext } from './color-budget.js';

/** Lets the texts of a view share one budget for colours. Inside another view, they share its budget. */
export function ColorBudgetProvider({ children }: { readonly children: ReactNode }) {
  const outer = useContext(ColorBudgetContext);
  const [own] = useState(() => new ColorBudget());
  return <ColorBudgetContext.Provider value={outer ?? own}>{children}</ColorBudgetContext.Provider>;
}
