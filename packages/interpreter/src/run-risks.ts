import { maxRisk, RISK_LEVELS, type RiskLevel, type StepRisk } from '@countersign/model';

/**
 * The risks of a run's steps during a command. A command may enter thousands of elements, so no operation here searches
 * the list.
 */
export class RunRisks {
  /** The risks by sequential number, the latest last. */
  private readonly risks = new Map<number, StepRisk>();
  /** The numbers of each element's risks. An element has several only if a migration has merged several elements. */
  private readonly numbersByElement = new Map<string, number[]>();
  private readonly counts = new Map<RiskLevel, number>();
  private list: readonly StepRisk[] | undefined;
  private lastNumber = 0;

  constructor(risks: readonly StepRisk[]) {
    for (const risk of risks) this.add(risk);
    this.list = risks;
  }

  find(elementId: string): StepRisk | undefined {
    const [first] = this.numbersByElement.get(elementId) ?? [];
    return first === undefined ? undefined : this.risks.get(first);
  }

  /** Replaces the recorded risk of the element. */
  record(risk: StepRisk): void {
    for (const number of this.numbersByElement.get(risk.elementId) ?? []) {
      const before = this.risks.get(number);
      if (before !== undefined) this.adjustCount(before.level, -1);
      this.risks.delete(number);
    }
    this.numbersByElement.delete(risk.elementId);
    this.add(risk);
    this.list = undefined;
  }

  /** The run's risk: the highest of the steps that were not superseded by rework. */
  get highest(): RiskLevel {
    return RISK_LEVELS.reduce<RiskLevel>(
      (highest, level) => ((this.counts.get(level) ?? 0) > 0 ? maxRisk(highest, level) : highest),
      'low',
    );
  }

  /** Returns the risks as the state of a run stores them. */
  all(): readonly StepRisk[] {
    return (this.list ??= [...this.risks.values()]);
  }

  private add(risk: StepRisk): void {
    this.lastNumber += 1;
    this.risks.set(this.lastNumber, risk);
    const numbers = this.numbersByElement.get(risk.elementId);
    if (numbers === undefined) this.numbersByElement.set(risk.elementId, [this.lastNumber]);
    else numbers.push(this.lastNumber);
    this.adjustCount(risk.level, 1);
  }

  private adjustCount(level: RiskLevel, change: 1 | -1): void {
    this.counts.set(level, (this.counts.get(level) ?? 0) + change);
  }
}
