"""From a task to the jobs whose outcome says whether it is done."""
