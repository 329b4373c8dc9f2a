"""What models say of one operation in its place: effects as written, aggregates, tasks, costs."""
