import { ObjectType } from 'type-graphql';
import { pageOf } from '../../../platform/lists/page.type.js';
import { ProjectMember } from './project-member.js';

@ObjectType({ description: 'One page of members.' })
export class ProjectMemberPage extends pageOf(ProjectMember) {}
