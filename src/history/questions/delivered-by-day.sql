-- Orders handed over on each day, and their coins in millions.
SELECT completedOn AS day, COUNT(*) AS completed, SUM(quantityM) AS coinsM
  FROM orders WHERE completedOn IS NOT NULL AND NOT isDeleted GROUP BY 1 ORDER BY 1
