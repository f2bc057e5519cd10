import { HOURLY } from '../../durable/scheduled-tasks.js';
import { LabeledCounter } from '../../platform/metrics/labeled-counter.js';
import { defineModule } from '../module.js';
import { projects } from '../projects/index.js';
import { deleteOldAnswers } from './answer-retention.sql.js';
import { CachedAnswerEntity } from './cached-answer.entity.js';
import { ProjectAnswers } from './project-answers.js';

export const answerCache = defineModule({
  name: 'answer-cache',
  needs: { projects },
  entities: [CachedAnswerEntity],
  resolvers: [],
  create({ database, vault, telemetry }) {
    const outcomes = new LabeledCounter(['outcome']);
    return {
      services: { projectAnswers: new ProjectAnswers(database, vault, telemetry.log, outcomes) },
      resolvers: [],
      metrics: [
        {
          name: 'scenarium_cached_answers_total',
          help: 'Requests of nodes with `cache_seconds` to models, by outcome: hit or miss.',
          labels: ['outcome'],
          isCounter: true,
          read: () => outcomes.samples(),
        },
      ],
      scheduledTasks: [{ name: 'deleting old cached answers', cron: HOURLY, run: () => deleteOldAnswers(database) }],
    };
  },
});
