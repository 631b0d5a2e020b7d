import { Model, snakeCaseMappers } from 'objection';

/** Columns in snake_case, properties in camelCase. A query says on which connections it runs: no model is bound. */
export class BaseModel extends Model {
  static override columnNameMappers = snakeCaseMappers();
}
